// Small plots: columns, which may be links, or a line of steps.
import type { ComponentChildren } from "preact";

interface Point {
  readonly value: number;
  /** Part of the value that is drawn in red. */
  readonly bad?: number;
  /** Tooltip, and the name of the link. */
  readonly title: string;
  readonly to?: string;
}

interface PlotProps {
  /** Describes the plot to readers who cannot see it. */
  readonly label: string;
  readonly points: readonly Point[];
}

const WIDTH = 600;
const HEIGHT = 72;

const Plot = ({ label, children }: { label: string; children: ComponentChildren }) => (
  <svg
    class="plot"
    viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
    preserveAspectRatio="none"
    aria-label={label}
  >
    {children}
  </svg>
);

/** Draws a column for each point. The red part stands at its foot. */
export function Columns({ label, points }: PlotProps) {
  const top = Math.max(1, ...points.map(({ value }) => value));
  const step = WIDTH / Math.max(points.length, 1);
  const sizeOf = (value: number) => (value === 0 ? 0 : Math.max(2, (value / top) * (HEIGHT - 4)));
  return (
    <Plot label={label}>
      {points.map(({ value, bad = 0, title, to }, index) => {
        const place = { x: index * step + step * 0.12, width: step * 0.76 };
        const size = Math.max(1, sizeOf(value));
        const red = Math.min(size, sizeOf(bad));
        const column = (
          <>
            <title>{title}</title>
            <rect x={index * step} y={0} width={step} height={HEIGHT} class="hit" />
            <rect
              {...place}
              y={HEIGHT - size}
              height={size}
              class={value === 0 ? "none" : "column"}
            />
            {red > 0 && <rect {...place} y={HEIGHT - red} height={red} class="bad" />}
          </>
        );
        return to === undefined ? (
          <g key={title}>{column}</g>
        ) : (
          <a key={title} href={to} tabIndex={-1} aria-label={title}>
            {column}
          </a>
        );
      })}
    </Plot>
  );
}

/** Draws a line of steps, because a value holds until the next point. */
export function StepPlot({ label, points }: PlotProps) {
  const values = points.map(({ value }) => value);
  const low = Math.min(...values);
  const span = Math.max(...values) - low || 1;
  const x = (index: number) => (index / Math.max(points.length - 1, 1)) * WIDTH;
  const y = (value: number) => (HEIGHT - 6 - ((value - low) / span) * (HEIGHT - 12)).toFixed(1);
  const [first = 0, ...rest] = values;
  const steps = rest.map((value, index) => `H${x(index + 1).toFixed(1)}V${y(value)}`);
  const line = `M0 ${y(first)}${steps.join("")}`;
  const width = WIDTH / points.length;
  return (
    <Plot label={label}>
      <path d={`${line}V${HEIGHT}H0Z`} class="area" />
      <path d={line} class="line" vector-effect="non-scaling-stroke" />
      {points.map(({ title }, index) => (
        <rect
          {...{ key: title, x: Math.max(0, x(index) - width / 2), y: 0, width, height: HEIGHT }}
          class="hit"
        >
          <title>{title}</title>
        </rect>
      ))}
    </Plot>
  );
}
