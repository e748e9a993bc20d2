// Parts of a view of which one is shown; the address remembers which.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { grouped } from "../format/values.ts";
import { href, route } from "../router.ts";

export interface Tab {
  readonly id: string;
  readonly title: string;
  readonly content: () => ComponentChildren;
}

/** A tab; where its number is given, that stands beside its title, and there is none for nothing. */
export const tab = (
  id: string,
  title: string,
  content: Tab["content"],
  count?: number,
): readonly Tab[] =>
  count === undefined
    ? [{ id, title, content }]
    : count > 0
      ? [{ id, title: `${title} ${grouped(count)}`, content }]
      : [];

interface TabsProps {
  readonly tabs: readonly Tab[];
  readonly label: string;
  /** The one that is shown where the address names none; else the first. */
  readonly initial?: string;
}

/** A link for each tab, and the content of the chosen one. */
export function Tabs({ tabs, label, initial }: TabsProps) {
  const { view, subject, query } = route.use();
  const named = (wanted: string | null | undefined) => tabs.find(({ id }) => id === wanted);
  const chosen = named(query.get("list")) ?? named(initial) ?? tabs[0];
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone the chosen one may be beyond the edge.
    const link = nav.current?.querySelector<HTMLElement>("[aria-current]");
    if (link && nav.current) nav.current.scrollLeft = link.offsetLeft - 40;
  }, [chosen?.id]);
  if (chosen === undefined) return null;
  return (
    <section class="card">
      <nav class="tabs" aria-label={label} ref={nav}>
        {tabs.map(({ id, title }) => (
          <a
            key={id}
            href={href(view, subject, { list: id })}
            aria-current={id === chosen.id ? "page" : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      <div key={chosen.id}>
        <h2 class="hidden">{chosen.title}</h2>
        {chosen.content()}
      </div>
    </section>
  );
}
