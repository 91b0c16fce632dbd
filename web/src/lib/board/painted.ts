/** Black or white, whichever is easier to see on a colour given as # and six digits. */
export function inkOn(colour: string): string {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  // Where the contrast with black and with white is the same.
  return light > 0.179 ? "#16181d" : "#ffffff";
}

function variables(colours: string[] | null): [name: string, value: string][] {
  return (colours ?? []).flatMap((colour, index): [string, string][] => {
    const of = index === 0 ? "nobody" : String(index - 1);
    return [
      [`--seat-${of}`, colour],
      [`--pip-${of}`, inkOn(colour)],
      [`--side-${of}`, `color-mix(in oklab, ${colour} 78%, black)`],
      [`--light-${of}`, `color-mix(in oklab, ${colour} 60%, white)`],
    ];
  });
}

/** Whatever is inside this element has these colours, first nobody's and then those of the seats; null for the usual. */
export function painted(node: HTMLElement, colours: string[] | null) {
  let set: string[] = [];
  const update = (chosen: string[] | null) => {
    for (const name of set) node.style.removeProperty(name);
    const wanted = variables(chosen);
    for (const [name, value] of wanted) node.style.setProperty(name, value);
    set = wanted.map(([name]) => name);
  };
  update(colours);
  return { update };
}
