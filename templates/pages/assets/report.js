// Tables that sort and filter, and links that open what they lead to. Without this script every page is complete: tables
// stand in the order of their statement. Sorting puts missing values last in both directions; nothing is computed.
"use strict";

(() => {
  const collator = new Intl.Collator("en", { sensitivity: "base" });

  // The value a cell is sorted by: its attribute, else its text; null when it is missing.
  const valueOf = (cell, type) => {
    const text = (cell.dataset.sortValue ?? cell.textContent).trim();
    if (text === "") return null;
    if (type !== "number") return text;
    const number = Number(text);
    return Number.isFinite(number) ? number : null;
  };

  // Negative when `one` comes first. Missing values come last whatever the direction.
  const compare = (one, other, type, direction) => {
    if (one === null || other === null) return (one === null) - (other === null);
    const order = type === "number" ? one - other : collator.compare(one, other);
    return direction === "descending" ? -order : order;
  };

  // The same rows in another order; equal ones keep the order they were written in.
  const stableSort = (rows, column, type, direction) =>
    rows
      .map((row, place) => ({ row, place, value: valueOf(row.cells[column], type) }))
      .sort((one, other) => compare(one.value, other.value, type, direction) || one.place - other.place)
      .map((entry) => entry.row);

  const matches = (row, wanted) =>
    Object.entries(wanted).every(([key, value]) => value === "" || row.getAttribute(`data-filter-${key}`) === value);

  const plural = (word) => (word.endsWith("ch") ? `${word}es` : `${word}s`);

  const enhance = (table) => {
    if (table.dataset.sortableTablesEnhanced) return;
    table.dataset.sortableTablesEnhanced = "true";
    const body = table.tBodies[0];
    const written = [...body.rows];
    const headers = [...table.tHead.rows[0].cells];
    const wanted = {};
    let said = null;

    const show = () => {
      let shown = 0;
      for (const row of written) {
        row.hidden = !matches(row, wanted);
        shown += row.hidden ? 0 : 1;
      }
      if (said) said.textContent = `${shown} of ${written.length} rows`;
    };

    const sort = (column) => {
      const header = headers[column];
      const first = header.dataset.sortDirection === "higher" ? "descending" : "ascending";
      const now = header.getAttribute("aria-sort");
      const direction = now === null ? first : now === "ascending" ? "descending" : "ascending";
      headers.forEach((other) => other.removeAttribute("aria-sort"));
      header.setAttribute("aria-sort", direction);
      table.dataset.sortColumn = String(column);
      table.dataset.sortDirection = direction;
      body.append(...stableSort(written, column, header.dataset.sortType, direction));
      show();
    };

    headers.forEach((header, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "results-table__sort-button";
      button.textContent = header.textContent.trim();
      button.title = `Sort by ${button.textContent}`;
      button.addEventListener("click", () => sort(column));
      header.replaceChildren(button);
    });

    if (table.dataset.filterable !== "true") return;
    const group = document.createElement("div");
    group.className = "filters";
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", `Filter: ${table.caption.textContent.trim()}`);
    const selects = (table.dataset.filterKeys ?? "dataset approach").split(" ").map((key) => {
      const values = new Set(written.map((row) => row.getAttribute(`data-filter-${key}`) ?? "").filter(Boolean));
      const label = document.createElement("label");
      label.textContent = `${key} `;
      const select = document.createElement("select");
      select.dataset.key = key;
      select.append(new Option(`all ${plural(key)}`, ""));
      [...values].sort((one, other) => (one < other ? -1 : 1)).forEach((value) => select.append(new Option(value, value)));
      select.addEventListener("change", () => {
        wanted[key] = select.value;
        show();
      });
      label.append(select);
      group.append(label);
      return select;
    });
    const reset = document.createElement("button");
    reset.type = "button";
    reset.className = "filters__reset";
    reset.textContent = "Reset";
    reset.addEventListener("click", () => {
      selects.forEach((select) => {
        select.value = "";
        wanted[select.dataset.key] = "";
      });
      headers.forEach((header) => header.removeAttribute("aria-sort"));
      delete table.dataset.sortColumn;
      delete table.dataset.sortDirection;
      body.append(...written);
      show();
    });
    said = document.createElement("span");
    said.className = "quiet";
    said.setAttribute("role", "status");
    group.append(reset, said);
    (table.closest(".scroll") ?? table).before(group);
    show();
  };

  // Opens everything that a link's target is folded into.
  const openTarget = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let place = target; place; place = place.parentElement) {
      if (place.tagName === "DETAILS") place.open = true;
    }
    if (target) target.scrollIntoView();
  };

  globalThis.resultsTables = { compare, enhance, matches, stableSort, valueOf };
  const begin = () => {
    document.querySelectorAll(".results-table").forEach(enhance);
    if (location.hash) openTarget();
    addEventListener("hashchange", openTarget);
  };
  if (document.readyState === "loading") addEventListener("DOMContentLoaded", begin);
  else begin();
})();
