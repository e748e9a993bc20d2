// The name of the method by which Node prints an object:
// https://nodejs.org/api/util.html#utilinspectcustom

/** A registered symbol, so that this needs no module of Node. */
export const INSPECT = Symbol.for("nodejs.util.inspect.custom");
