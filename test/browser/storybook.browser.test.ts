// The example for Storybook, with its hooks in Storybook's order: each story has its own state.
import { afterAll, beforeAll, expect, test } from "vitest";
import account, { Balance, Busy, Rich } from "../../examples/testing/storybook.stories.mts";
import preview, { mock } from "../../examples/testing/storybook-preview.mts";
import { type ApiError, ExplorerClient } from "../../src/index.ts";

beforeAll(preview.beforeAll);
afterAll(() => mock.reset());

const balance = ({ explorer, account }: { explorer: string; account: `0x${string}` }) =>
  new ExplorerClient({ baseUrl: explorer, apiKey: "any", retry: 0 }).accounts.balance(account);

test("each story sees its own state of the explorer", async () => {
  const shown: unknown[] = [];
  const stories: readonly { readonly beforeEach?: () => void }[] = [Balance, Rich, Busy, Balance];
  for (const story of stories) {
    preview.beforeEach();
    story.beforeEach?.();
    shown.push(await balance(account.args).catch((error: ApiError) => error.httpStatus));
  }
  const coin = 10n ** 18n;
  expect(shown).toEqual([10n * coin, 1_000_010n * coin, 503, 10n * coin]);
});
