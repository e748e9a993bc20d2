// Redirects that a hostile or broken server may send: the API key reaches no other origin.
import { describe, expect, test } from "vitest";
import { ConnectionError, RedirectError } from "../../src/index.ts";
import { ADDRESS, clientOf, json, SENTINEL, serve, supply, thrown } from "./server.ts";

describe("a redirect", () => {
  test.each([301, 302, 303, 307, 308])(
    "by HTTP %i to another origin is refused, and the key stays here",
    async (status) => {
      const elsewhere = await serve((_, response) => json(response, supply("666")));
      const server = await serve((_, response) => {
        response.writeHead(status, { location: `${elsewhere.url}/v1/steal` });
        response.end();
      });
      const error = await clientOf(server)
        .tokens.totalSupply(ADDRESS)
        .catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(RedirectError);
      expect(error).toBeInstanceOf(ConnectionError);
      expect(error).toMatchObject({ code: "REDIRECT", location: `${elsewhere.url}/v1/steal` });
      expect(elsewhere.asked).toHaveLength(0);
      expect(server.asked).toHaveLength(1);
    },
  );

  test("of a POST to another origin is rejected, too", async () => {
    const elsewhere = await serve((_, response) => json(response, supply("666")));
    const server = await serve((_, response) => {
      response.writeHead(307, { location: elsewhere.url });
      response.end();
    });
    await expect(clientOf(server).accounts.balances([ADDRESS])).rejects.toMatchObject({
      cause: { code: "REDIRECT" },
    });
    expect(elsewhere.asked).toHaveLength(0);
  });

  test("within the origin is followed", async () => {
    const server = await serve((asked, response) => {
      if (asked.url.startsWith("/v1/")) {
        response.writeHead(308, { location: asked.url.replace("/v1/", "/api/v1/") });
        response.end();
      } else json(response, supply("7"));
    });
    expect(await clientOf(server).tokens.totalSupply(ADDRESS)).toBe(7n);
    expect(server.asked[1]?.headers["api-key"]).toBe(SENTINEL);
  });

  test("loop ends with an error", async () => {
    const server = await serve((asked, response) => {
      response.writeHead(302, { location: asked.url });
      response.end();
    });
    await expect(clientOf(server).tokens.totalSupply(ADDRESS)).rejects.toThrow("in a row");
    expect(server.asked.length).toBeLessThan(10);
  });

  test.each(["", "http://[broken", "javascript:alert(1)", "//other.invalid/"])(
    "to %j is refused",
    async (location) => {
      const server = await serve((_, response) => {
        response.writeHead(302, { location });
        response.end();
      });
      await expect(clientOf(server).tokens.totalSupply(ADDRESS)).rejects.toBeInstanceOf(
        RedirectError,
      );
    },
  );

  test("that a browser hides is rejected", async () => {
    const hidden = Object.defineProperty(new Response(null), "type", { value: "opaqueredirect" });
    const client = clientOf({ url: "https://explorer.example" }, { fetch: async () => hidden });
    await expect(client.tokens.totalSupply(ADDRESS)).rejects.toBeInstanceOf(RedirectError);
  });
});

describe("a redirect with a user and a password", () => {
  test.each<[string, (origin: string) => string]>([
    ["in the same origin", (origin) => origin.replace("//", "//root:hunter2-hunter2@")],
    ["to another origin", () => "https://root:hunter2-hunter2@other.example/"],
    ["without slashes", () => "https:root:hunter2-hunter2@other.example/"],
    ["with backslashes", () => "\\\\root:hunter2-hunter2@other.example"],
    ["that is no URL", () => "http://root:hunter2-hunter2@[broken"],
  ])("%s is not followed, and shows neither", async (_, locationOf) => {
    const server = await serve((_asked, response) => {
      response.writeHead(302, { location: `${locationOf(server.url)}/v1/secret` });
      response.end();
    });
    const error = await thrown(clientOf(server).tokens.totalSupply(ADDRESS));
    expect(error).toBeInstanceOf(RedirectError);
    const { message, location, stack } = error as RedirectError;
    expect(`${message}${location}${stack}${JSON.stringify(error)}`).not.toMatch(/hunter2|root/);
    expect(location).toContain("/v1/secret");
    expect(server.asked).toHaveLength(1);
  });
});
