// The logs of a transaction: decoded where the contract is verified, and as they are.
import { type Abi, toAbi } from "../../../src/resources/abi.ts";
import type { InspectedLog } from "../../inspect/records.ts";
import { grouped } from "../format/numbers.ts";
import { Arguments } from "../parts/arguments.tsx";
import { Code } from "../parts/code.tsx";
import { AddressLink, ChainText } from "../parts/text.tsx";
import { useLoad } from "../parts/use-load.ts";

/** The entry of the ABI that comes with a log. */
function abiOf({ log_abi }: InspectedLog): Abi {
  try {
    return log_abi === null ? [] : toAbi([JSON.parse(log_abi)].flat());
  } catch {
    return [];
  }
}

/** All decoded at once; undefined for those that cannot be. */
async function decodeAll(logs: readonly InspectedLog[]) {
  if (logs.every(({ log_abi }) => log_abi === null)) return [];
  const { decodeLog } = await import("../decode.ts");
  return logs.map((log) => decodeLog(abiOf(log), log.topics, log.data));
}

export function Logs({ logs, count }: { logs: readonly InspectedLog[]; count: number }) {
  // Until it is decoded, or where it cannot be, a log stands as it is.
  const { value: decoded = [] } = useLoad(() => decodeAll(logs), [logs[0]]);
  return (
    <>
      <ol class="logs">
        {logs.map((log, index) => {
          const event = decoded[index];
          return (
            <li key={log.log_index}>
              <p>
                <span class="badge">{log.log_index}</span> <AddressLink to={log.address} />{" "}
                {!event && log.log_name && <ChainText text={log.log_name} length={60} />}
              </p>
              {event && <Arguments decoded={event} />}
              <details open={!event}>
                <summary>Topics and data</summary>
                <Code wrap label={`Topics and data of log ${log.log_index}`}>
                  {[...log.topics, log.data.slice(0, 4000)].join("\n")}
                </Code>
              </details>
            </li>
          );
        })}
      </ol>
      {count > logs.length && (
        <p class="quiet">
          The first {grouped(logs.length)} of {grouped(count)} are shown.
        </p>
      )}
    </>
  );
}
