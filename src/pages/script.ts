/**
 * Searching and filtering the rows to look at. It only ever hides lines that are there: it makes no HTML, sends
 * nothing and keeps nothing.
 */
export const SCRIPT = `
'use strict';
(function () {
  var box = document.getElementById('search');
  var table = document.getElementById('problem-rows');
  if (!box || !table) return;
  var text = document.getElementById('search-text');
  var status = document.getElementById('search-status');
  var shown = document.getElementById('search-shown');
  var rows = Array.prototype.slice.call(table.tBodies[0].rows);
  var contents;
  var timer;
  function apply() {
    if (!contents) {
      contents = rows.map(function (row) {
        return Array.prototype.map.call(row.cells, function (cell) { return cell.textContent; })
          .join('\\n').toLowerCase();
      });
    }
    var words = text.value.toLowerCase().split(/\\s+/).filter(Boolean);
    var wanted = status.value;
    var left = 0;
    rows.forEach(function (row, at) {
      var fits = (wanted === '' || row.getAttribute('data-status') === wanted) &&
        words.every(function (word) { return contents[at].indexOf(word) >= 0; });
      row.hidden = !fits;
      if (fits) left += 1;
    });
    tell(left);
  }
  function tell(left) {
    shown.textContent = shown.getAttribute('data-text')
      .replace('{shown}', String(left)).replace('{all}', String(rows.length));
  }
  text.addEventListener('input', function () {
    clearTimeout(timer);
    timer = setTimeout(apply, 120);
  });
  status.addEventListener('change', apply);
  document.getElementById('search-clear').addEventListener('click', function () {
    text.value = '';
    status.value = '';
    apply();
    text.focus();
  });
  box.hidden = false;
  tell(rows.length);
})();
`;
