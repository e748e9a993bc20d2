// Checks constructor arguments: they must be the exact encoding of the constructor's parameters.
import * as AbiParameters from "ox/AbiParameters";
import { type Parameter, parametersOf } from "../../src/cli/abi.ts";
import { isHex } from "../../src/models/hex.ts";

/** Returns the parameters of the constructor; none if the contract declares no constructor. */
const constructorParameters = (abi: readonly unknown[]): readonly Parameter[] =>
  parametersOf(Object(abi.find((entry) => Object(entry).type === "constructor")).inputs);

/** Replaces the types of texts by `bytes`, because decoding would change invalid UTF-8. */
const asBytes = ({ type, components }: Parameter): AbiParameters.Parameter => ({
  type: type.replace("string", "bytes").replace("function", "bytes24"),
  components: components.map(asBytes),
});

const signature = ({ type, components }: Parameter): string =>
  type.replace("tuple", () => `(${components.map(signature).join(",")})`);

/** Returns the digits in lower case, without 0x; undefined if the text is not hexadecimal. */
export function readArguments(text: string): string | undefined {
  const hex = text.trim().replace(/^0x/i, "").toLowerCase();
  return isHex(`0x${hex}`) ? hex : undefined;
}

/** Explains why arguments are invalid; undefined if they decode and encode to the same bytes. */
export function argumentsError(abi: readonly unknown[], hex: string): string | undefined {
  const parameters = constructorParameters(abi);
  const bytes = hex.length / 2;
  if (parameters.length === 0) {
    return hex === "" ? undefined : `The constructor takes no arguments, received ${bytes} bytes`;
  }
  const types = `(${parameters.map(signature).join(", ")})`;
  const subject = `the ${bytes} bytes of constructor arguments`;
  try {
    const form = parameters.map(asBytes);
    const encoded = AbiParameters.encode(form, AbiParameters.decode(form, `0x${hex}`)).slice(2);
    return encoded === hex ? undefined : `Expected the encoding of ${types}, received ${subject}`;
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    return `Cannot read ${subject} as ${types}: ${reason}`;
  }
}

/** Bytes of the arguments that a message quotes. */
const MAX_QUOTED = 2048;

/** Writes arguments, given in hexadecimal without 0x, for a message. */
export function quoteArguments(hex: string): string {
  const bytes = hex.length / 2;
  if (bytes === 0) return "none";
  return bytes <= MAX_QUOTED
    ? `0x${hex}`
    : `${bytes} bytes that begin with 0x${hex.slice(0, 2 * MAX_QUOTED)}`;
}
