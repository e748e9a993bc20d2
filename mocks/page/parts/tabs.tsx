// Tabs of a view. The page's address names the one that is shown.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { grouped } from "../format/values.ts";
import { href, route } from "../router.ts";

export interface Tab {
  readonly id: string;
  readonly title: string;
  readonly content: () => ComponentChildren;
}

/** A tab with the number of its rows, if given. There is none for 0 rows. */
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
  /** Shown if the address names no tab; defaults to the first. */
  readonly initial?: string;
}

export function Tabs({ tabs, label, initial }: TabsProps) {
  const { view, subject, query } = route.use();
  const named = (name: string | null | undefined) => tabs.find(({ id }) => id === name);
  const chosen = named(query.get("list")) ?? named(initial) ?? tabs[0];
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone the chosen tab may be beyond the edge.
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
