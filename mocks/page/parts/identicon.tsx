// A small picture of an address, by which it is recognised where it stands again: five by five squares, the right half as the left.

/** 32 bits of FNV-1a: near addresses get pictures that differ. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  // The last digits reach the upper bits.
  return (hash ^ (hash >>> 15)) >>> 0;
}

export function Identicon({ address }: { address: string }) {
  const hash = hashOf(address.toLowerCase());
  const squares = Array.from({ length: 15 }, (_, index) => index)
    .filter((index) => (hash >>> index) & 1)
    .map((index) => {
      const [x, y] = [index % 3, Math.floor(index / 3)];
      return `M${x} ${y}h1v1h-1zM${4 - x} ${y}h1v1h-1z`;
    });
  const hue = (hash >>> 15) % 360;
  return (
    <svg class="identicon" viewBox="0 0 5 5" aria-hidden="true">
      <rect width="5" height="5" fill={`hsl(${hue} 45% 85%)`} />
      <path d={squares.join("")} fill={`hsl(${hue} 60% 38%)`} />
    </svg>
  );
}
