// A small plot: columns or a line over equal steps, with its extremes in words.
import type { ComponentChildren } from "preact";

interface Point {
  readonly value: number;
  /** The part of the value that is drawn in red. */
  readonly bad?: number;
  /** What a hover says. */
  readonly title: string;
  readonly to?: string;
}

interface PlotProps {
  /** What it shows, for those who cannot see it. */
  readonly label: string;
  readonly points: readonly Point[];
  readonly height?: number;
}

const WIDTH = 600;

interface FrameProps {
  readonly label: string;
  readonly height: number;
  readonly children: ComponentChildren;
}

const Plot = ({ label, height, children }: FrameProps) => (
  <svg
    class="plot"
    viewBox={`0 0 ${WIDTH} ${height}`}
    preserveAspectRatio="none"
    role="img"
    aria-label={label}
  >
    {children}
  </svg>
);

/** A column for each point, from the left; what is bad of it stands below the rest. */
export function Columns({ label, points, height = 72 }: PlotProps) {
  const top = Math.max(1, ...points.map(({ value }) => value));
  const step = WIDTH / Math.max(points.length, 1);
  return (
    <Plot label={label} height={height}>
      {points.map(({ value, bad = 0, title }, index) => {
        const sizeOf = (one: number) => Math.max(2, (one / top) * (height - 4));
        const size = value === 0 ? 1 : sizeOf(value);
        const place = { x: index * step + step * 0.12, width: step * 0.76 };
        const red = bad === 0 ? 0 : Math.min(size, sizeOf(bad));
        return (
          <g key={title}>
            <title>{title}</title>
            <rect x={index * step} y={0} width={step} height={height} class="hit" />
            <rect
              {...place}
              y={height - size}
              height={size}
              class={value === 0 ? "none" : "column"}
            />
            {red > 0 && <rect {...place} y={height - red} height={red} class="bad" />}
          </g>
        );
      })}
    </Plot>
  );
}

/** A line of steps between the least and the most: a value holds until the next one. */
export function StepPlot({ label, points, height = 96 }: PlotProps) {
  const values = points.map(({ value }) => value);
  const low = Math.min(...values);
  const top = Math.max(...values);
  const span = top - low || 1;
  const x = (index: number) => (index / Math.max(points.length - 1, 1)) * WIDTH;
  const y = (value: number) => height - 8 - ((value - low) / span) * (height - 16);
  const line = points
    .map(
      ({ value }, index) =>
        `${index === 0 ? "M" : `H${x(index).toFixed(1)}V`}${index === 0 ? `0 ${y(value).toFixed(1)}` : y(value).toFixed(1)}`,
    )
    .join("");
  return (
    <Plot label={label} height={height}>
      <path d={`${line}V${height}H0Z`} class="area" />
      <path d={line} class="line" vector-effect="non-scaling-stroke" />
      {points.map(({ title }, index) => (
        <rect
          key={title}
          x={Math.max(0, x(index) - WIDTH / points.length / 2)}
          y={0}
          width={WIDTH / points.length}
          height={height}
          class="hit"
        >
          <title>{title}</title>
        </rect>
      ))}
    </Plot>
  );
}
