// What needs the token of the admin API: asks for it, and says how the API is turned on.
import type { ComponentChildren } from "preact";
import { access } from "../service/head.ts";
import { adminToken } from "../store.ts";
import { Field, formFields } from "./field.tsx";

/** The children, once there is a token. */
export function AdminGate({
  title,
  children,
}: {
  title: string;
  children: () => ComponentChildren;
}) {
  const token = adminToken.use();
  if (access.use()?.admin === false)
    return (
      <section class="card">
        <h1>{title}</h1>
        <p>
          This needs the admin API, which is off. Start the service with <code>--admin</code>, or{" "}
          <code>serveExplorer(mock, {"{ admin: true }"})</code>.
        </p>
      </section>
    );
  if (token !== "") return <>{children()}</>;
  const submit = (event: SubmitEvent) => adminToken.set(formFields(event)("token"));
  return (
    <section class="card">
      <h1>{title}</h1>
      <p>
        This needs the token of the admin API: <code>serve --admin</code> prints it,{" "}
        <code>served.admin.token</code> has it.
      </p>
      <form class="inline" onSubmit={submit}>
        <Field label="Admin token" name="token" type="password" required />
        <button type="submit" class="primary">
          Use this token
        </button>
      </form>
    </section>
  );
}
