/** As if a link to a file had been clicked. */
export function download({ address, name }: { address: string; name: string }): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
}
