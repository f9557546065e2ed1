// What runs inside the page: looks at it, changes nothing but what a reader could. Each returns a list of complaints.

// Every picture has a size, no two texts of it lie on each other, and none leaves it.
export function charts() {
  const wrong = [];
  const pictures = [...document.querySelectorAll("svg.chart")];
  if (pictures.length === 0) wrong.push("there is no chart");
  for (const svg of pictures) {
    const name = (svg.getAttribute("aria-label") ?? "").slice(0, 60);
    const frame = svg.getBoundingClientRect();
    if (frame.width < 100 || frame.height < 20) wrong.push(`${name}: ${frame.width} x ${frame.height}`);
    // Rising texts have wide boxes that cross although the letters do not.
    const texts = [...svg.querySelectorAll("text:not([transform])")].filter((text) => text.textContent.trim() !== "");
    const boxes = texts.map((text) => text.getBoundingClientRect());
    boxes.forEach((box, index) => {
      if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1) {
        wrong.push(`${name}: \`${texts[index].textContent}\` leaves the picture`);
      }
      for (let other = index + 1; other < boxes.length; other += 1) {
        const against = boxes[other];
        const across = Math.min(box.right, against.right) - Math.max(box.left, against.left);
        const down = Math.min(box.bottom, against.bottom) - Math.max(box.top, against.top);
        if (across > 1 && down > 4) wrong.push(`${name}: \`${texts[index].textContent}\` lies on \`${texts[other].textContent}\``);
      }
    });
  }
  return wrong;
}

// The page is as wide as the window, and no text of a table, a list or a control lies on a neighbour.
export function layout() {
  const wrong = [];
  if (document.documentElement.scrollWidth > innerWidth) wrong.push(`the page is ${document.documentElement.scrollWidth} wide`);
  const groups = [".contents > li", ".filters > *", "thead tr:first-child > *", "tbody tr:first-child > *", ".side-by-side > article", "section > *"];
  for (const group of groups) {
    const parts = [...document.querySelectorAll(group)].filter((part) => part.getClientRects().length > 0);
    parts.forEach((part, index) => {
      const next = parts[index + 1];
      if (!next || next.parentElement !== part.parentElement) return;
      const [one, other] = [part.getBoundingClientRect(), next.getBoundingClientRect()];
      const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      const isSticky = getComputedStyle(part).position === "sticky";
      if (across > 1 && down > 1 && !isSticky) wrong.push(`${group}: \`${part.textContent.trim().slice(0, 40)}\` lies on its neighbour`);
    });
  }
  return wrong;
}

// Nothing that came from an answer became part of the page.
export function injected() {
  const wrong = [];
  if (document.title.includes("owned")) wrong.push("a script of an answer ran");
  for (const element of document.querySelectorAll("*")) {
    for (const { name } of element.attributes) if (name.startsWith("on")) wrong.push(`<${element.localName} ${name}>`);
  }
  document.querySelectorAll("img, iframe, object, embed, base").forEach((element) => wrong.push(`<${element.localName}>`));
  if (document.querySelectorAll("script").length !== 1) wrong.push("there is another script than the page's own");
  return wrong;
}

// The rows of a table as what they are sorted by, in the order they stand.
export function column([id, index]) {
  const table = document.getElementById(id);
  const type = table.tHead.rows[0].cells[index].dataset.sortType;
  const rows = [...table.tBodies[0].rows];
  return {
    type,
    better: table.tHead.rows[0].cells[index].dataset.sortDirection,
    sorted: [...table.tHead.rows[0].cells].map((cell) => cell.getAttribute("aria-sort")),
    values: rows.map((row) => (row.cells[index].dataset.sortValue ?? row.cells[index].textContent).trim()),
    rows: rows.map((row) => row.textContent),
    shown: rows.filter((row) => !row.hidden).length,
  };
}
