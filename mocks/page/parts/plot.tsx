// A small plot of columns, which may be links.

interface Point {
  readonly value: number;
  /** Part of the value that is drawn in red. */
  readonly bad?: number;
  /** Tooltip, and the name of the link. */
  readonly title: string;
  readonly to: string;
}

interface ColumnsProps {
  /** Describes the plot to readers who cannot see it. */
  readonly label: string;
  readonly points: readonly Point[];
}

const WIDTH = 600;
const HEIGHT = 72;
/** Fewer columns leave room, because wide ones look like a bar chart of totals. */
const MIN_COLUMNS = 40;

/** Draws a column for each point. The red part stands at its foot. */
export function Columns({ label, points }: ColumnsProps) {
  const top = Math.max(1, ...points.map(({ value }) => value));
  const step = WIDTH / Math.max(points.length, MIN_COLUMNS);
  const sizeOf = (value: number) => (value === 0 ? 0 : Math.max(2, (value / top) * (HEIGHT - 4)));
  const viewBox = `0 0 ${WIDTH} ${HEIGHT}`;
  return (
    <svg class="plot" viewBox={viewBox} preserveAspectRatio="none" aria-label={label}>
      {points.map(({ value, bad = 0, title, to }, index) => {
        const place = { x: index * step + step * 0.12, width: step * 0.76 };
        const size = Math.max(1, sizeOf(value));
        const red = Math.min(size, sizeOf(bad));
        return (
          <a key={title} href={to} tabIndex={-1} aria-label={title}>
            <title>{title}</title>
            <rect x={index * step} y={0} width={step} height={HEIGHT} class="hit" />
            <rect
              {...{ ...place, y: HEIGHT - size, height: size }}
              class={value === 0 ? "none" : "column"}
            />
            {red > 0 && <rect {...{ ...place, y: HEIGHT - red, height: red }} class="bad" />}
          </a>
        );
      })}
    </svg>
  );
}
