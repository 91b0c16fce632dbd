/** Four units, less only where tiles are tiny. */
export function cornerOf(size: number): number {
  return Math.min(4, size * 0.12);
}

export function rounded(left: number, top: number, size: number, corner: number): string {
  const straight = size - 2 * corner;
  const arc = (x: number, y: number) => `a${corner} ${corner} 0 0 1 ${x} ${y}`;
  return `M${left + corner} ${top}h${straight}${arc(corner, corner)}v${straight}${arc(-corner, corner)}h${-straight}${arc(-corner, -corner)}v${-straight}${arc(corner, -corner)}z`;
}
