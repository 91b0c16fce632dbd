/** Does something once whatever else there is to do had its turn; behind other windows, too, where timers hardly run. */
export function nextTask(work: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    work();
  };
  port2.postMessage(null);
}
