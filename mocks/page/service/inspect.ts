// Asks `/inspect`, which is no part of the specification, for what the operations cannot answer.
import { createInspector, type Inspector } from "../../inspect/client.ts";
import { keyToSend } from "./keys.ts";
import { learnNames } from "./names.ts";
import { fetchInTime } from "./request.ts";

/** The answer, checked and decoded; the names in it are remembered. */
export const inspect: Inspector = async (name, parameters, options) => {
  const ask = createInspector({
    baseUrl: location.origin,
    apiKey: keyToSend(),
    fetch: fetchInTime,
  });
  const answer = await ask(name, parameters, options);
  learnNames(answer);
  return answer;
};
