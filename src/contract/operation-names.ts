// Finds an operation by its number ("A2"), or by its name, the client's method
// ("accounts.transactions").
import { nameOperation } from "../errors/base.ts";
import { type AnyOperation, type OperationId, type Operations, operations } from "./index.ts";

/** The client's resource and method: "accounts.transactions". */
export type OperationName = Operations[OperationId]["name"];

/** The actions of a resource: "balance" of "accounts". */
export type ActionOf<
  Resource extends string,
  Name = OperationName,
> = Name extends `${Resource}.${infer Action}` ? Action : never;

/** A method for each operation, by resource and action, as {@link ExplorerClient} has them. */
export type Methods = {
  readonly [Resource in OperationName extends `${infer R}.${string}` ? R : never]: {
    readonly [Action in ActionOf<Resource>]: (...parameters: never[]) => unknown;
  };
};

/** The number of an operation, or the client's method: "A2" or "accounts.transactions". */
export type OperationKey = OperationId | OperationName;

/** The number of the operation with a key: `OperationIdOf<"accounts.transactions">` is "A2". */
export type OperationIdOf<Key extends OperationKey> = Key extends OperationId
  ? Key
  : { [Id in OperationId]: Operations[Id]["name"] extends Key ? Id : never }[OperationId];

/** An operation by number, method or definition. */
export type OperationReference = OperationKey | AnyOperation;

/** The definition of a referenced operation. */
export type ReferencedOperation<Reference extends OperationReference> =
  Reference extends OperationKey
    ? Operations[OperationIdOf<Reference>]
    : Extract<Reference, AnyOperation>;

const idsByKey: ReadonlyMap<string, OperationId> = new Map(
  Object.values(operations).flatMap(({ id, name }) => [
    [id, id],
    [name, id],
  ]),
);

/** Returns the number of an operation by its number or name; undefined if there is none. */
export const operationIdOf = (nameOrId: string): OperationId | undefined => idsByKey.get(nameOrId);

/** Names an operation in messages: "accounts.transactions (A2)". */
export const operationLabel = (id: OperationId): string => nameOperation(id, operations[id].name);

/** The numbers and names of all operations. */
export const operationKeys: readonly string[] = [...idsByKey.keys()];
