// The zod codec each model is exported as. The client works with the kinds alone, so that zod need not be in its bundle.
import * as z from "zod/mini";
import {
  type AnyKind,
  describe,
  type InputOf,
  type Issue,
  type Kind,
  type ValueOf,
  type WireOf,
} from "./kind.ts";

/** A kind that can also be used as a zod codec: `z.decode(Transaction, wire)`, `z.encode(Transaction, value)`. */
export type Model<Wire, Value, Input = Value> = z.ZodMiniCodec<
  z.ZodMiniCustom<Wire, Wire>,
  z.ZodMiniCustom<Value, Value>
> & {
  readonly kind: Kind<Wire, Value, Input>;
};

/** The decoded side of a model. */
export type Decoded<M extends { readonly kind: AnyKind }> = ValueOf<M["kind"]>;
/** The wire side of a model. */
export type Encoded<M extends { readonly kind: AnyKind }> = WireOf<M["kind"]>;

/** The zod codec of a kind. */
export function model<K extends AnyKind>(
  kind: K,
): Model<WireOf<K>, ValueOf<K>, InputOf<K>> & { readonly kind: K } {
  const both =
    <From, To>(pass: (value: From, issues: Issue[]) => To) =>
    (value: From, payload: z.core.ParsePayload): To => {
      const issues: Issue[] = [];
      const result = pass(value, issues);
      for (const issue of issues)
        payload.issues.push({
          code: "custom",
          path: [...issue.path],
          message: `expected ${issue.expected}, received ${describe(issue.received)}`,
          input: issue.received,
        });
      return result;
    };
  const codec = z.codec(z.custom<WireOf<K>>(), z.custom<ValueOf<K>>(), {
    decode: both<WireOf<K>, ValueOf<K>>((wire, issues) => kind.decode(wire, issues)),
    encode: both<ValueOf<K>, WireOf<K>>((value, issues) => kind.encode(value, issues)),
  });
  codec._zod.toJSONSchema = () => kind.json;
  return Object.assign(codec, { kind });
}
