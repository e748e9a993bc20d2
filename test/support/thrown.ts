// Lets `toThrow` fail where `undefined` is thrown: vitest's own takes that for any message.
import { chai } from "vitest";

const named = (thrown: unknown) =>
  thrown === undefined ? new Error("undefined was thrown") : thrown;

chai.use(({ Assertion }, { flag, overwriteMethod }) => {
  overwriteMethod(
    Assertion.prototype,
    "toThrow",
    (toThrow: (...expected: unknown[]) => unknown) =>
      function (this: object, ...expected: unknown[]) {
        const given: unknown = flag(this, "object");
        if (flag(this, "promise") === "rejects") flag(this, "object", named(given));
        else if (typeof given === "function")
          flag(this, "object", () => {
            try {
              return given();
            } catch (error) {
              throw named(error);
            }
          });
        return toThrow.apply(this, expected);
      },
  );
});
