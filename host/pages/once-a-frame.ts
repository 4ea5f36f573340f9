/**
 * Makes a function that asks for one drawing at the next frame, however often it is called before: a table says more in
 * a second than a screen can show.
 */
export function onceAFrame(draw: () => void): () => void {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      draw();
    });
  };
}
