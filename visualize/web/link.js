// The part of the page's address that says what is looked at: #op=17&key=2&axis=rank.

/** @typedef {{operation: number, partition: number, rank: boolean}} Link  -1 where there is none */

/**
 * @param {string} hash
 * @returns {Link}
 */
function parseLink(hash) {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const index = (/** @type {string} */ name) =>
    /^\d{1,9}$/.test(fields.get(name) ?? "") ? Number(fields.get(name)) : -1;
  return {operation: index("op"), partition: index("key"), rank: fields.get("axis") === "rank"};
}

/**
 * @param {Link} link
 * @returns {string}
 */
function linkText({operation, partition, rank}) {
  const fields = [];
  if (operation >= 0) fields.push(`op=${operation}`);
  if (partition >= 0) fields.push(`key=${partition}`);
  if (rank) fields.push("axis=rank");
  return "#" + fields.join("&");
}
