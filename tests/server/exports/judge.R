# What R and haven read of files of data, as JSON: each cell a text, a missing reason as <code>.
suppressMessages(library(haven))
options(digits = 17)

quoted <- function(x) {
  x <- gsub("\\", "\\\\", enc2utf8(as.character(x)), fixed = TRUE)
  x <- gsub("\"", "\\\"", x, fixed = TRUE)
  x <- gsub("\n", "\\n", x, fixed = TRUE)
  x <- gsub("\r", "\\r", x, fixed = TRUE)
  x <- gsub("\t", "\\t", x, fixed = TRUE)
  ifelse(is.na(x), "null", paste0("\"", x, "\""))
}
array <- function(x) paste0("[", paste(x, collapse = ","), "]")
number <- function(x) sprintf("%.17g", as.numeric(x))
day <- function(days) ifelse(is.na(days), NA, format(as.Date(days, origin = "1970-01-01")))
clock <- function(seconds) ifelse(is.na(seconds), NA, sprintf("%02d:%02d:%02d", as.integer(seconds %/% 3600),
                                                             as.integer(seconds %/% 60 %% 60), as.integer(seconds %% 60)))
instant <- function(seconds) ifelse(is.na(seconds), NA, paste(day(floor(seconds / 86400)), clock(round(seconds %% 86400))))

kind_of <- function(x, format) {
  if (is.character(x) || is.factor(x)) return("text")
  if (inherits(x, "Date") || grepl("^(SDATE|YYMMDD)", format)) return("date")
  if (inherits(x, "POSIXct") || grepl("^DATETIME", format)) return("datetime")
  if (inherits(x, "difftime") || grepl("^TIME", format)) return("time")
  "number"
}

shown <- function(x, kind) {
  raw <- unclass(x)
  attributes(raw) <- NULL
  switch(kind, text = raw, number = ifelse(is.na(raw), NA, number(raw)), date = day(raw), time = clock(raw),
         datetime = instant(raw))
}

column <- function(name, x, cells, labels, format) {
  listed <- if (is.null(labels)) character() else {
    keys <- if (is.character(labels)) unname(labels) else ifelse(is.na(labels), paste0(".", na_tag(unclass(labels))), number(labels))
    paste0("[", quoted(keys), ",", quoted(names(labels)), "]")
  }
  label <- attr(x, "label")
  paste0("{\"name\":", quoted(name), ",\"label\":", quoted(if (is.null(label)) "" else label), ",\"format\":", quoted(format),
         ",\"labels\":", array(listed), ",\"unit\":", quoted(if (is.null(attr(x, "unit", exact = TRUE))) NA else attr(x, "unit", exact = TRUE)),
         ",\"cells\":", array(quoted(cells)), "}")
}

whole <- function(file, label, columns) {
  paste0(quoted(file), ":{\"label\":", quoted(if (is.null(label)) "" else label), ",\"columns\":", array(columns), "}")
}

# The numbers that stand for reasons are moved by haven together with the days that they stand among.
sav_reasons <- function(x, kind) {
  raw <- unclass(x)
  attributes(raw) <- NULL
  numbers <- switch(kind, text = raw, number = raw, time = raw, date = round((raw + 141428) * 86400), datetime = raw + 141428 * 86400)
  if (kind == "text") numbers else unname(c("-999999999999997" = "ND", "-999999999999998" = "UNK", "-999999999999999" = "NA")[sprintf("%.0f", numbers)])
}

read_spss_file <- function(file) {
  plain <- read_sav(file)
  user <- read_sav(file, user_na = TRUE)
  whole(file, attr(user, "label"), sapply(names(user), function(name) {
    x <- user[[name]]
    format <- attr(x, "format.spss")
    kind <- kind_of(plain[[name]], format)
    cells <- shown(plain[[name]], kind)
    if (inherits(x, "haven_labelled_spss")) {
      lacking <- if (kind == "text") unclass(x) %in% attr(x, "na_values") else is.na(plain[[name]]) & !is.na(unclass(x))
      cells[lacking] <- paste0("<", sav_reasons(x, kind)[lacking], ">")
    }
    if (kind == "text") cells[cells == ""] <- NA
    column(name, x, cells, attr(x, "labels"), format)
  }))
}

read_tagged <- function(file, read, formats) {
  data <- read(file)
  whole(file, attr(data, "label"), sapply(names(data), function(name) {
    x <- data[[name]]
    format <- attr(x, formats)
    if (is.null(format)) format <- ""
    kind <- kind_of(x, "")
    cells <- shown(x, kind)
    if (kind != "text") {
      tags <- na_tag(unclass(x))
      cells[!is.na(tags)] <- paste0("<", tags[!is.na(tags)], ">")
    } else cells[cells == ""] <- NA
    column(name, x, cells, attr(x, "labels"), format)
  }))
}

read_script <- function(script) {
  source(script, encoding = "UTF-8", local = (place <- new.env()))
  sapply(names(place$tables), function(table) {
    data <- place$tables[[table]]
    whole(paste0(table, ".R"), attr(data, "label"), sapply(names(data), function(name) {
      x <- data[[name]]
      codes <- attr(x, "codes")
      kind <- kind_of(x, "")
      cells <- if (is.factor(x)) c(codes, setdiff(levels(x), names(codes)))[as.integer(x)] else shown(x, kind)
      reasons <- attr(x, "missing_reasons")
      cells[as.integer(names(reasons))] <- paste0("<", reasons, ">")
      column(name, x, cells, codes, class(x)[1])
    }))
  })
}

files <- sort(list.files(".", recursive = TRUE))
parts <- sapply(files, function(file) {
  if (grepl("sav$", file)) read_spss_file(file)
  else if (grepl("xpt$", file)) read_tagged(file, read_xpt, "format.sas")
  else if (grepl("dta$", file)) read_tagged(file, read_dta, "format.stata")
  else NULL
})
zhenglu_folder <- "r"
cat("{", paste(c(unlist(parts), read_script("r/data.R")), collapse = ",\n"), "}\n", sep = "")
