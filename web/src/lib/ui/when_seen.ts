/** Says whether an element can be seen, or soon will be. */
export function whenSeen(node: Element, seen: (visible: boolean) => void): { destroy(): void } {
  const observer = new IntersectionObserver(([entry]) => seen(entry?.isIntersecting ?? false), { rootMargin: "120px" });
  observer.observe(node);
  return { destroy: () => observer.disconnect() };
}
