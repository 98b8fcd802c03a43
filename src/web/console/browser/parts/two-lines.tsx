/** Two texts of a cell, one below the other; nothing for none. On a phone they stand in one line. */
export function TwoLines({ first, second }: { first: string | null; second: string | null }) {
  const all = [first, second].filter((text) => text !== null && text !== "");
  if (all.length === 0) return <span class="missing">—</span>;
  return (
    <>
      {all.map((text, index) => (
        <span key={index} class={index === 0 ? "cut short-line" : "cut short-line under"} title={text ?? ""}>
          {text}
        </span>
      ))}
    </>
  );
}
