// The part of the page's address that says what is looked at: #op=17&key=2&axis=rank, and of a trace #event=17.

/**
 * @param {URLSearchParams} fields
 * @param {string} name
 * @returns {number} -1 where there is none
 */
function linkedIndex(fields, name) {
  return /^\d{1,9}$/.test(fields.get(name) ?? "") ? Number(fields.get(name)) : -1;
}

/** @param {string} hash */
function linkFields(hash) {
  return new URLSearchParams(hash.replace(/^#/, ""));
}

/** @typedef {{operation: number, partition: number, rank: boolean}} Link  -1 where there is none */

/**
 * @param {string} hash
 * @returns {Link}
 */
function parseLink(hash) {
  const fields = linkFields(hash);
  const [operation, partition] = [linkedIndex(fields, "op"), linkedIndex(fields, "key")];
  return {operation, partition, rank: fields.get("axis") === "rank"};
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
