// The arguments of a decoded call or event.
import type { DecodedCall } from "../decode.ts";
import { AddressLink, ChainText } from "./text.tsx";

const address = /^0x[\da-f]{40}$/i;

export function Arguments({ decoded }: { decoded: DecodedCall }) {
  return (
    <>
      <p class="signature">
        <ChainText text={decoded.signature} length={200} />
      </p>
      {decoded.arguments.length > 0 && (
        <dl class="facts arguments">
          {decoded.arguments.map(({ name, type, value }, index) => (
            <div key={`${index} ${name}`}>
              <dt>
                <ChainText text={name} length={30} /> <small>{type}</small>
              </dt>
              <dd>
                {type === "address" && address.test(value) ? (
                  <AddressLink to={value} />
                ) : (
                  <ChainText text={value} length={400} />
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}
