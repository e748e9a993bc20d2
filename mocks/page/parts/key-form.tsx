// The api-key of the page's requests: any one, one that the service lists, or that of a tenant.
import { apiKey } from "../service/keys.ts";

export function KeyForm({ onDone }: { onDone?: () => void }) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement).get("key");
    if (typeof given === "string") apiKey.set(given.trim());
    onDone?.();
  };
  return (
    <form class="inline" onSubmit={submit}>
      <label>
        <span>api-key</span>
        <input name="key" type="password" autocomplete="off" value={apiKey.get()} />
      </label>
      <button type="submit">Use this key</button>
    </form>
  );
}
