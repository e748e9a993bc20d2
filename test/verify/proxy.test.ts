// Recognises proxies and their targets by code.
import { describe, expect, test } from "vitest";
import type { Address } from "../../mocks/chain/records.ts";
import { describeProxy, proxyIn } from "../../mocks/operations/proxy.ts";
import { ADDRESS } from "./support.ts";

const target: Address = `0x${"0123456789".repeat(4)}`;
const digits = target.slice(2);
const none = () => null;
const proxy = (hex: string) => proxyIn(`0x${hex}`, none);

const forwarders: readonly (readonly [kind: string, start: string, end: string])[] = [
  ["an EIP-1167 clone", "363d3d373d3d3d363d73", "5af43d82803e903d91602b57fd5bf3"],
  ["a minimal proxy", "3d3d3d3d363d3d37363d73", "5af43d3d93803e602a57fd5bf3"],
  ["a minimal proxy", "365f5f375f5f365f73", "5af43d5f5f3e5f3d91602a57fd5bf3"],
  ["a minimal proxy", "363d3d373d3d363d73", "5af43d82803e903d91602b57fd5bf3"],
  ["a minimal proxy", "366000600037611000600036600073", "5af4602c57600080fd5b6110006000f3"],
  ["an account that delegates (EIP-7702), a proxy", "ef0100", ""],
];

describe.each(forwarders)("%s, %s", (kind, start, end) => {
  test("forwards to the address in its code", () => {
    const expected = { kind, target, compiled: false };
    expect(proxy(`${start}${digits}${end}`)).toEqual(expected);
    expect(proxy(`${start}${digits}${end}`.toUpperCase())).toEqual(expected);
  });

  test("is none within other code", () => {
    expect(proxy(`00${start}${digits}${end}`)).toBeUndefined();
    expect(proxy(`${start}${digits}${end.slice(0, -2)}`) === undefined).toBe(end !== "");
    expect(proxy(`${start}${digits.slice(2)}${end}`)).toBeUndefined();
  });
});

test("a clone may have data after its code, the other forwarders may not", () => {
  for (const [kind, start, end] of forwarders)
    expect(proxy(`${start}${digits}${end}00`) !== undefined).toBe(kind === "an EIP-1167 clone");
});

test("a clone pushes an address with leading zeros by fewer bytes", () => {
  const clone = (push: string, short: string) =>
    proxy(`363d3d373d3d3d363d${push}${short}5af43d82803e903d91602a57fd5bf3`);
  const padded = (short: string) => ({
    ...{ kind: "an EIP-1167 clone", compiled: false },
    target: `0x${short.padStart(40, "0")}`,
  });
  for (const [push, short] of [
    ["60", "ab"],
    ["6f", "ab".repeat(16)],
    ["70", "ab".repeat(17)],
    ["72", "ab".repeat(19)],
  ] as const) {
    expect(clone(push, short)).toEqual(padded(short));
    expect(proxy(`00363d3d373d3d3d363d${push}${short}5af43d82803e903d91602a57fd5bf3`)).toBe(
      undefined,
    );
    expect(proxy(`363d3d373d3d3d363d${push}${short}5af43d82803e903d91602a57fd5bf300`)).toBe(
      undefined,
    );
  }
  expect(clone("73", "ab".repeat(19))).toBeUndefined();
  expect(clone("60", "")).toBeUndefined();
});

describe("a contract that keeps an address", () => {
  const implementation = "360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc";
  const beacon = "a3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50";
  const announcing = (part: string, announces: "implementation" | "beacon" | undefined) =>
    proxyIn(`0x6001${part.toUpperCase()}00`, (kind) => (kind === announces ? target : null));

  test("is a proxy if it announced what it stands for", () => {
    const kind = "an EIP-1967 proxy";
    expect(announcing(implementation, "implementation")).toEqual({ kind, target, compiled: true });
    expect(announcing(implementation, "beacon")).toBeUndefined();
    expect(announcing(implementation, undefined)).toBeUndefined();
  });

  test("is a proxy of a beacon, whose address may be in its code", () => {
    const expected = { kind: "an EIP-1967 beacon proxy", target, compiled: true };
    for (const part of [beacon, "635c60da1b"]) {
      expect(announcing(part, "beacon")).toEqual(expected);
      expect(announcing(part, "implementation")).toBeUndefined();
    }
  });

  test("is none without the slot", () => {
    expect(announcing("", "implementation")).toBeUndefined();
    expect(announcing("", "beacon")).toBeUndefined();
  });
});

test("a proxy is described with what it stands for", () => {
  const given = { kind: "a minimal proxy", target, compiled: false };
  expect(describeProxy(ADDRESS, { ...given, verified: true })).toBe(
    `${ADDRESS} is a minimal proxy of ${target}, which is verified`,
  );
  expect(describeProxy(ADDRESS, { ...given, verified: false })).toBe(
    `${ADDRESS} is a minimal proxy of ${target}, which is not verified`,
  );
});
