// What only a followed node can do: asks for the admin token, and says in plain words where there is no node.
import type { ComponentChildren } from "preact";
import { head } from "../service/head.ts";
import { AdminGate } from "./admin-gate.tsx";

/** The children, where a node is followed and the token is there. */
export function NodeGate({
  title,
  children,
}: {
  title: string;
  children: () => ComponentChildren;
}) {
  const known = head.use();
  if (known !== undefined && known.node === null)
    return (
      <p class="note">
        This service follows no node, and only a node runs contracts: start it with{" "}
        <code>serve --rpc URL --admin</code>.
      </p>
    );
  return <AdminGate title={title}>{children}</AdminGate>;
}
