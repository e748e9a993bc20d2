// What is the address of a service, and what paths are appended to.
import { expect, test } from "vitest";
import { baseOf, checkUrl } from "../../src/http/base-url.ts";
import { refused } from "./server.ts";

test.each([
  [undefined, "baseUrl: expected a URL, or the environment variable"],
  ["a.example", "baseUrl: expected an https:// or http:// URL"],
  ["xhttps://a.example", "baseUrl: expected an https:// or http:// URL"],
  ["https://user@a.example", "a URL without user, password, query or fragment"],
  ["https://:word@a.example", "a URL without user, password, query or fragment"],
  ["https://a.example?", "a URL without user, password, query or fragment"],
  ["https://a.example/#", "a URL without user, password, query or fragment"],
  ["https://a.example#x", "a URL without user, password, query or fragment"],
  ["https://a.example/V1/", "baseUrl: expected the URL without /v1"],
])("%s is no address", async (given, message) => {
  expect((await refused(() => checkUrl(given))).message).toContain(message);
});

test.each([
  ["http://a.example/v1beta", "http://a.example/v1beta"],
  ["https://a.example/b//", "https://a.example/b"],
])("%s is an address", (text, base) => {
  expect(baseOf(checkUrl(text))).toBe(base);
});
