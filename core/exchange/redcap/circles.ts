/**
 * Fields whose branching asks for each other's answer: "weight" beside "weight not known". REDCap takes such branching
 * by what the fields hold, shown or not, and leaves a field on the page that holds a value. So nothing that was entered
 * goes out of sight by such a circle, not even where two tablets answered both.
 */

/** The branching of a field in a circle: it stays as long as it holds a value. */
export function shownWhileFilled(show: string, prop: string): string {
  return `(${show}${clause(prop)}`
}

/** The branching as REDCap has it, without what `shownWhileFilled` puts around it. */
export function withoutFilled(show: string, prop: string): string {
  return show.startsWith('(') && show.endsWith(clause(prop)) ? show.slice(1, -clause(prop).length) : show
}

function clause(prop: string): string {
  return ` || rcNe(rcStored.${prop}, ""))`
}
