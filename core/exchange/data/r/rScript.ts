import type { DataTable, Variable } from '#core/dataset/table.ts'

import type { WriteOptions } from '../contract.ts'

/** The script that reads the files into R. It uses base R alone. */

/**
 * What the script does for every table. A text without the apostrophe that kept it apart is what was entered; a missing
 * reason stands in the attribute `missing_reasons`, named by its row.
 */
const FUNCTIONS = `
folder <- if (exists("zhenglu_folder")) zhenglu_folder else "."

read_cells <- function(file, columns) {
  cells <- read.csv(file.path(folder, file), colClasses = rep("character", columns), encoding = "UTF-8",
                    check.names = FALSE, na.strings = "", quote = "\\"", comment.char = "", strip.white = FALSE,
                    fill = FALSE, blank.lines.skip = FALSE)
  as.list(cells)
}

as_variable <- function(x, type, label, unit = NULL, codes = NULL) {
  missing <- x %in% c("ND", "UNK", "NA")
  reasons <- setNames(x[missing], which(missing))
  x[missing] <- NA
  x <- sub("^'", "", x)
  if (!is.null(codes)) {
    further <- setdiff(x[!is.na(x)], codes)
    shown <- names(codes)
    twice <- shown %in% shown[duplicated(shown)]
    shown[twice] <- paste0(shown[twice], " (", codes[twice], ")")
    x <- factor(x, levels = c(codes, further), labels = c(shown, further))
    attr(x, "codes") <- codes
  } else if (type == "number") {
    x <- suppressWarnings(as.numeric(x))
  } else if (type == "date") {
    x[!grepl("^\\\\d{4}-\\\\d{2}-\\\\d{2}$", x)] <- NA
    x <- as.Date(x, format = "%Y-%m-%d")
  } else if (type == "time") {
    x[!grepl("^\\\\d{2}:\\\\d{2}(:\\\\d{2})?$", x)] <- NA
    x <- as.difftime(as.numeric(substr(x, 1, 2)) * 3600 + as.numeric(substr(x, 4, 5)) * 60 +
                       ifelse(nchar(x) == 8, as.numeric(substr(x, 7, 8)), 0), units = "secs")
  } else if (type == "datetime") {
    x[!grepl("^\\\\d{4}-\\\\d{2}-\\\\d{2} \\\\d{2}:\\\\d{2}(:\\\\d{2})?$", x)] <- NA
    x <- as.POSIXct(ifelse(nchar(x) == 16, paste0(x, ":00"), x), format = "%Y-%m-%d %H:%M:%S", tz = "UTC")
  }
  attr(x, "label") <- label
  if (!is.null(unit)) attr(x, "unit") <- unit
  if (length(reasons) > 0) attr(x, "missing_reasons") <- reasons
  x
}

as_table <- function(variables, names, label, rows) {
  table <- structure(variables, names = names, class = "data.frame", row.names = .set_row_names(rows))
  attr(table, "label") <- label
  table
}

tables <- list()
`

/** The script, piece by piece. */
export function* listScript(tables: readonly DataTable[], { title, createdAt }: WriteOptions): Generator<string> {
  yield `# ${title.replaceAll(/[\r\n]+/g, ' ')} ${createdAt}\n`
  yield '# source("<this file>", encoding = "UTF-8"); set zhenglu_folder before, where the files lie elsewhere.\n'
  yield '# list2env(tables, globalenv()) makes each table an object of its own.\n'
  yield FUNCTIONS
  for (const { name, label, variables } of tables) {
    yield `\ncells <- read_cells(${quote(`${name}.csv`)}, ${variables.length})\n`
    yield `tables[[${quote(name)}]] <- as_table(list(\n`
    for (const [at, variable] of variables.entries()) {
      yield `  as_variable(cells[[${at + 1}]], ${argumentsOf(variable)})${at < variables.length - 1 ? ',' : ''}\n`
    }
    const names = variables.map((variable) => quote(variable.name)).join(', ')
    yield `), c(${names}), ${quote(label)}, length(cells[[1]]))\n`
  }
  yield '\nrm(cells)\n'
}

function argumentsOf({ type, label, unit, codes }: Variable): string {
  const parts = [quote(type), quote(label)]
  if (unit !== null) parts.push(`unit = ${quote(unit)}`)
  // A list may be long: a pair on each line.
  if (codes.length > 0 && (type === 'text' || type === 'number')) {
    parts.push(`codes = c(${codes.map(({ code, label: text }) => `\n    ${quote(text)} = ${quote(code)}`).join(',')})`)
  }
  return parts.join(', ')
}

/** A text as R writes it. */
function quote(text: string): string {
  const plain = text
    .replaceAll(/["\\]/g, String.raw`\$&`)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\r', String.raw`\r`)
    .replaceAll('\t', String.raw`\t`)
  return `"${plain}"`
}
