// Lets `toThrow` fail where `undefined` is thrown: vitest's own takes that for any message.
import { chai } from "vitest";

const named = (thrown: unknown) =>
  thrown === undefined ? new Error("undefined was thrown") : thrown;

/** Test files share a process: one of them is enough. */
const done = Symbol.for("mrc-explorer: toThrow names undefined");

chai.use(({ Assertion }, { flag, overwriteMethod }) => {
  if (Object.hasOwn(Assertion.prototype, done)) return;
  Object.defineProperty(Assertion.prototype, done, { value: true });
  overwriteMethod(
    Assertion.prototype,
    "toThrow",
    (toThrow: (...expected: unknown[]) => unknown) =>
      function (this: object, ...expected: unknown[]) {
        const received: unknown = flag(this, "object");
        if (flag(this, "promise") === "rejects") flag(this, "object", named(received));
        else if (typeof received === "function")
          flag(this, "object", () => {
            try {
              return received();
            } catch (error) {
              throw named(error);
            }
          });
        return toThrow.apply(this, expected);
      },
  );
});
