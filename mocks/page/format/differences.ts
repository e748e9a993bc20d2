// Where two bodies differ: value by value if both are JSON, else as a whole.

export interface Difference {
  /** `results.data.0.value`; "" for the whole. */
  readonly path: string;
  /** As JSON; undefined where one of them has nothing there. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** More are only counted. */
export const MAX_DIFFERENCES = 200;

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

function* compare(before: unknown, after: unknown, path: string): Generator<Difference> {
  if (Object.is(before, after)) return;
  if (isObject(before) && isObject(after) && Array.isArray(before) === Array.isArray(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    for (const name of names) {
      const [one, other] = [before, after].map((object) =>
        Object.hasOwn(object, name) ? Reflect.get(object, name) : undefined,
      );
      yield* compare(one, other, path === "" ? name : `${path}.${name}`);
    }
    return;
  }
  yield { path, before: JSON.stringify(before), after: JSON.stringify(after) };
}

/** Undefined for what is no JSON. */
function parsed(body: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(body) };
  } catch {
    return undefined;
  }
}

/** The differences of two bodies, in the order of the first. */
export function differences(before: string, after: string): readonly Difference[] {
  if (before === after) return [];
  const [one, other] = [parsed(before), parsed(after)];
  const found = one && other ? [...compare(one.value, other.value, "")] : [];
  return found.length > 0 ? found : [{ path: "", before, after }];
}
