// A component whose code is loaded when it is first shown, because few views need it.
import type { ComponentType } from "preact";
import { useQuery } from "../service/queries.ts";
import { Loaded } from "./failure.tsx";

interface LazyProps<Props> {
  readonly name: string;
  readonly load: () => Promise<ComponentType<Props>>;
  readonly props: Props;
}

export function Lazy<Props extends object>({ name, load, props }: LazyProps<Props>) {
  const loading = useQuery(["code", name], async () => ({ Loaded: await load() }), { once: true });
  // Browsers remember a script that failed to load, and an upgrade has given scripts new names.
  const retry = () => location.reload();
  return (
    <Loaded of={{ ...loading, retry }} what="Could not load this part of the page" lines={6}>
      {({ Loaded: Component }) => <Component {...props} />}
    </Loaded>
  );
}
