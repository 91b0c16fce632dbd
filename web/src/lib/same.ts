/** Whether two values that came as JSON, or could be sent as such, say the same. */
export function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
