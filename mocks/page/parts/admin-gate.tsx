// Views that need the admin token: asks for the token, or says how to turn the admin API on.
import type { ComponentChildren } from "preact";
import { access } from "../service/head.ts";
import { adminToken } from "../store.ts";
import { Form } from "./form.tsx";

interface AdminGateProps {
  readonly title: string;
  readonly children: () => ComponentChildren;
}

export function AdminGate({ title, children }: AdminGateProps) {
  const token = adminToken.use();
  const isOff = access.use()?.admin === false;
  if (!isOff && token !== "") return <>{children()}</>;
  return (
    <section class="card">
      <h1>{title}</h1>
      {isOff ? (
        <p>
          This needs the admin API, which is off. Start the service with <code>--admin</code>, or{" "}
          <code>serveExplorer(mock, {"{ admin: true }"})</code>.
        </p>
      ) : (
        <>
          <p>
            This needs the token of the admin API: <code>serve --admin</code> prints it, and{" "}
            <code>served.admin.token</code> has it.
          </p>
          <Form
            fields={[{ name: "token", label: "Admin token", type: "password", required: true }]}
            action="Use this token"
            isPrimary
            run={(texts) => adminToken.set(texts("token"))}
          />
        </>
      )}
    </section>
  );
}
