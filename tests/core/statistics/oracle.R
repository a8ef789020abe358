# What R says of data sets: the oracle of core/statistics.
#
#   Rscript tests/core/statistics/oracle.R data.txt results.txt
#
# A line of data.txt is "<set> <kind> <list> <values ...>" (NA is a missing value), a line of the results
# "<set> <key> <values ...>"; "error" stands for what R cannot say, and a key that ends in "~" is only as exact as R's
# own search for a root. fixtures/ holds data and what this script said of them; its first line names R's version.

suppressPackageStartupMessages(library(survival))
options(digits = 17, warn = -1)

emit <- function(set, key, values) {
  values <- as.numeric(unlist(values))
  text <- ifelse(is.na(values), "NA", ifelse(is.infinite(values), ifelse(values > 0, "Inf", "-Inf"), sprintf("%.17g", values)))
  cat(set, key, text, "\n", sep = " ")
}

# The values, or one line that says that there are none.
attempt <- function(set, key, compute) {
  values <- tryCatch(as.numeric(unlist(compute())), error = function(e) NULL)
  if (is.null(values) || any(is.na(values))) cat(set, key, "error", "\n", sep = " ") else emit(set, key, values)
}

describe <- function(set, name, cells) {
  x <- cells[!is.na(cells)]
  n <- length(x)
  key <- function(what) paste0(name, ".", what)
  emit(set, key("n"), c(n, sum(is.na(cells))))
  if (n == 0) return(invisible())
  emit(set, key("mean"), mean(x))
  emit(set, key("type7"), quantile(x, c(0, 0.25, 0.5, 0.75, 1), type = 7))
  # SAS definition 5 is R's type 2.
  emit(set, key("sas5"), quantile(x, c(0.25, 0.5, 0.75), type = 2))
  if (all(x > 0)) emit(set, key("geometric"), exp(mean(log(x))))
  if (n > 1) {
    emit(set, key("sd"), c(sd(x), sd(x) / sqrt(n)))
    emit(set, key("interval"), mean(x) + c(-1, 1) * qt(0.975, n - 1) * sd(x) / sqrt(n))
    if (mean(x) > 0) emit(set, key("cv"), sd(x) / mean(x))
  }
  # About the median: far from 0 shapiro.test would lose digits.
  attempt(set, key("shapiro"), function() { s <- shapiro.test(x - median(x)); c(s$statistic, s$p.value) })
  h <- hist(x, breaks = "Sturges", plot = FALSE)
  if (max(x) > min(x)) emit(set, key("histogram"), c(h$breaks, h$counts))
  q <- quantile(x, c(0.25, 0.75), type = 7)
  inside <- x[x >= q[1] - 1.5 * diff(q) & x <= q[2] + 1.5 * diff(q)]
  emit(set, key("box"), c(min(q[1], inside), max(q[2], inside), n - length(inside)))
  attempt(set, key("oneMean"), function() { t <- t.test(x, mu = 1); c(t$statistic, t$p.value, t$conf.int) })
}

moses <- function(d, rank) { d <- sort(d); rank <- max(1, rank); c(median(d), d[rank], d[length(d) + 1 - rank]) }

two <- function(set, lists) {
  x <- lists$x[!is.na(lists$x)]; y <- lists$y[!is.na(lists$y)]
  for (name in c("x", "y")) describe(set, name, lists[[name]])
  for (alternative in c("two.sided", "less", "greater")) {
    key <- function(what) paste0(what, ".", alternative)
    read <- function(t) c(t$statistic, t$parameter, t$p.value, t$conf.int)
    attempt(set, key("welch"), function() read(t.test(x, y, alternative)))
    attempt(set, key("student"), function() read(t.test(x, y, alternative, var.equal = TRUE)))
    attempt(set, key("rankSum"), function() {
      if (length(unique(c(x, y))) == 1) stop("constant")
      w <- wilcox.test(x, y, alternative); c(w$statistic, w$p.value)
    })
  }
  g <- factor(rep(c("x", "y"), c(length(x), length(y)))); v <- c(x, y)
  attempt(set, "brownForsythe", function() { a <- anova(lm(abs(v - ave(v, g, FUN = median)) ~ g)); c(a[1, 4], a[1, 5]) })
  attempt(set, "levene", function() { a <- anova(lm(abs(v - ave(v, g)) ~ g)); c(a[1, 4], a[1, 5]) })
  n1 <- length(x); n2 <- length(y); df <- n1 + n2 - 2
  d <- (mean(x) - mean(y)) / sqrt(((n1 - 1) * var(x) + (n2 - 1) * var(y)) / df)
  r <- qnorm(0.975) * sqrt(1 / n1 + 1 / n2 + d^2 / (2 * (n1 + n2)))
  J <- exp(lgamma(df / 2) - log(df / 2) / 2 - lgamma((df - 1) / 2))
  attempt(set, "standardized", function() c(d, d - r, d + r, d * J, J * (d - r), J * (d + r)))
  if (n1 * n2 <= 1e6) {
    exact <- n1 < 50 && n2 < 50 && !any(duplicated(v))
    rank <- if (exact) qwilcox(0.025, n1, n2) else floor(n1 * n2 / 2 - qnorm(0.975) * sqrt(n1 * n2 * (n1 + n2 + 1) / 12))
    emit(set, "shift", moses(outer(x, y, "-"), rank))
    if (exact && rank > 0) emit(set, "shift.R", wilcox.test(x, y, conf.int = TRUE)$conf.int)
  }
}

paired <- function(set, lists) {
  x <- lists$x; y <- lists$y; n <- length(x)
  for (alternative in c("two.sided", "less", "greater")) {
    key <- function(what) paste0(what, ".", alternative)
    attempt(set, key("paired"), function() {
      t <- t.test(x, y, alternative, paired = TRUE); c(t$statistic, t$parameter, t$p.value, t$conf.int)
    })
    attempt(set, key("signedRank"), function() { w <- wilcox.test(x, y, alternative, paired = TRUE); c(w$statistic, w$p.value) })
    attempt(set, key("pearson"), function() {
      t <- cor.test(x, y, alternative); c(t$estimate, t$statistic, t$parameter, t$p.value, if (n > 3) t$conf.int)
    })
    exact <- n <= 9 && !any(duplicated(x)) && !any(duplicated(y))
    attempt(set, key("spearman"), function() {
      t <- cor.test(x, y, alternative, method = "spearman", exact = exact); c(t$estimate, t$p.value)
    })
  }
  d <- x - y; k <- n * (n + 1) / 2
  exact <- n < 50 && !any(d == 0) && !any(duplicated(abs(d)))
  rank <- if (exact) qsignrank(0.025, n) else floor(k / 2 - qnorm(0.975) * sqrt(n * (n + 1) * (2 * n + 1) / 24))
  if (n <= 1000) { w <- outer(d, d, "+") / 2; emit(set, "middle", moses(w[lower.tri(w, diag = TRUE)], rank)) }
  attempt(set, "line", function() {
    if (min(x) == max(x)) stop("constant")
    fit <- lm(y ~ x); s <- summary(fit)
    band <- predict(fit, data.frame(x = c(min(x), max(x))), interval = "confidence")
    # summary's r squared is a sum of rounding where there is no slope.
    c(coef(fit), s$sigma, cor(x, y)^2, confint(fit)[2, ], t(band))
  })
}

groups <- function(set, lists) {
  v <- unlist(lists, use.names = FALSE); g <- factor(rep(seq_along(lists), lengths(lists)))
  attempt(set, "anova", function() {
    a <- anova(lm(v ~ g)); if (a[2, 2] < 1e-20) stop("constant")
    c(a[1, 4], a[, 1], a[1, 5], a[1, 2] / sum(a[, 2]))
  })
  attempt(set, "welchAnova", function() { o <- oneway.test(v ~ g); c(o$statistic, o$parameter, o$p.value) })
  attempt(set, "kruskal", function() { k <- kruskal.test(v, g); c(k$statistic, k$parameter, k$p.value) })
  attempt(set, "brownForsythe", function() { a <- anova(lm(abs(v - ave(v, g, FUN = median)) ~ g)); c(a[1, 4], a[1, 5]) })
}

# The conditional odds ratio and its ends, to the last digit: fisher.test stops at four.
conditional <- function(t) {
  m <- sum(t[, 1]); n <- sum(t[, 2]); k <- sum(t[1, ]); x <- t[1, 1]
  support <- max(0, k - n):min(k, m); chances <- dhyper(support, m, n, k, log = TRUE)
  weigh <- function(l) { d <- chances + support * l; d <- exp(d - max(d)); d / sum(d) }
  solve <- function(f) exp(uniroot(f, c(-60, 60), tol = 1e-15, maxiter = 10000)$root)
  c(if (x == min(support)) 0 else if (x == max(support)) Inf else solve(function(l) sum(weigh(l) * support) - x),
    if (x == min(support)) 0 else solve(function(l) log(sum(weigh(l)[support >= x])) - log(0.025)),
    if (x == max(support)) Inf else solve(function(l) log(0.025) - log(sum(weigh(l)[support <= x]))))
}

# Fisher's p by looking through all tables with the margins, where they are few: fexact joins near ones.
enumerate <- function(t) {
  rows <- rowSums(t); cols <- colSums(t); logs <- numeric(0)
  step <- function(left, j, sofar) {
    if (j == length(cols)) { logs[length(logs) + 1] <<- sofar - sum(lfactorial(left)); return(invisible()) }
    fill <- function(i, rest, part) {
      if (i == length(left)) { if (rest <= left[i]) { p <- c(part, rest); step(left - p, j + 1, sofar - sum(lfactorial(p))) }; return(invisible()) }
      for (count in 0:min(rest, left[i])) fill(i + 1, rest - count, c(part, count))
    }
    fill(1, cols[j], numeric(0))
  }
  step(rows, 1, 0)
  own <- -sum(lfactorial(t)); most <- max(logs)
  sum(exp(logs[logs <= own + 1e-7] - most)) / sum(exp(logs - most))
}

table_ <- function(set, lists) {
  t <- do.call(rbind, lists)
  attempt(set, "chiSquare", function() { c <- chisq.test(t, correct = FALSE); c(c$statistic, c$parameter, c$p.value) })
  attempt(set, "yates", function() { c <- chisq.test(t, correct = TRUE); c(c$statistic, c$p.value) })
  if (nrow(t) == ncol(t)) {
    attempt(set, "mcnemar", function() { m <- mcnemar.test(t, correct = TRUE); c(m$statistic, m$parameter, m$p.value) })
    attempt(set, "mcnemarPlain", function() mcnemar.test(t, correct = FALSE)$p.value)
  }
  if (all(dim(t) == 2)) {
    for (alternative in c("two.sided", "less", "greater"))
      attempt(set, paste0("fisher.", alternative), function() fisher.test(t, alternative = alternative)$p.value)
    attempt(set, "fisherRatio", function() conditional(t))
    attempt(set, "fisherRatio~", function() { f <- fisher.test(t); c(f$estimate, f$conf.int) })
    attempt(set, "mcnemarExact", function() binom.test(t[1, 2], t[1, 2] + t[2, 1])$p.value)
    n <- rowSums(t); x <- t[, 1]; p <- x / n; z <- qnorm(0.975)
    w <- sapply(1:2, function(i) prop.test(x[i], n[i], correct = FALSE)$conf.int)
    # prop.test leaves rounding where nobody or everybody is counted.
    w[1, x == 0] <- 0; w[2, x == n] <- 1
    emit(set, "wilson", w)
    emit(set, "clopperPearson", sapply(1:2, function(i) binom.test(x[i], n[i])$conf.int))
    d <- p[1] - p[2]
    emit(set, "newcombe", c(d, d - sqrt((p[1] - w[1, 1])^2 + (w[2, 2] - p[2])^2), d + sqrt((w[2, 1] - p[1])^2 + (p[2] - w[1, 2])^2)))
    emit(set, "wald", d + c(-1, 1) * z * sqrt(sum(p * (1 - p) / n)))
    attempt(set, "riskRatio", function() { if (any(x == 0)) stop("zero"); l <- log(p[1] / p[2]); exp(l + c(0, -1, 1) * z * sqrt(sum(1 / x - 1 / n))) })
    attempt(set, "oddsRatio", function() {
      if (any(t == 0)) stop("zero")
      exp(log(t[1, 1] * t[2, 2] / t[1, 2] / t[2, 1]) + c(0, -1, 1) * z * sqrt(sum(1 / t)))
    })
  } else {
    if (sum(t) <= 30) attempt(set, "fisherTable", function() enumerate(t))
    attempt(set, "fisherTable~", function() fisher.test(t, workspace = 2e7)$p.value)
  }
}

survival_ <- function(set, lists) {
  names <- sub("time", "", grep("^time", names(lists), value = TRUE))
  time <- unlist(lapply(names, function(i) lists[[paste0("time", i)]])); event <- unlist(lapply(names, function(i) lists[[paste0("event", i)]]))
  group <- rep(names, sapply(names, function(i) length(lists[[paste0("time", i)]])))
  for (type in c("log-log", "log", "plain")) for (i in names) {
    fit <- survfit(Surv(time[group == i], event[group == i]) ~ 1, conf.type = type)
    key <- function(what) paste0(i, ".", type, ".", what)
    emit(set, key("time"), fit$time)
    emit(set, key("survival"), fit$surv)
    emit(set, key("risk"), c(fit$n.risk, fit$n.event, fit$n.censor))
    emit(set, key("se"), ifelse(fit$surv == 0, NA, fit$surv * fit$std.err))
    emit(set, key("low"), ifelse(fit$surv == 0, NA, ifelse(fit$surv == 1, 1, fit$lower)))
    emit(set, key("high"), ifelse(fit$surv == 0, NA, ifelse(fit$surv == 1, 1, fit$upper)))
    # As survfit prints it: quantile() says otherwise where the curve ends at a half or an end of it rises again.
    emit(set, key("median"), summary(fit)$table[c("median", "0.95LCL", "0.95UCL")])
  }
  attempt(set, "logRank", function() {
    s <- survdiff(Surv(time, event) ~ group); df <- length(s$n) - 1
    c(s$chisq, df, pchisq(s$chisq, df, lower.tail = FALSE), s$exp)
  })
}

files <- commandArgs(trailingOnly = TRUE)
sink(files[2])
lines <- strsplit(readLines(files[1]), " ", fixed = TRUE)
sets <- sapply(lines, function(l) l[1])
cat("#", R.version.string, "with survival", as.character(packageVersion("survival")), "\n")
for (set in unique(sets)) {
  own <- lines[sets == set]
  lists <- lapply(own, function(l) as.numeric(l[-(1:3)]))
  names(lists) <- sapply(own, function(l) l[3])
  switch(own[[1]][2],
    one = describe(set, "x", lists$x), two = two(set, lists), paired = paired(set, lists), groups = groups(set, lists),
    table = table_(set, lists), survival = survival_(set, lists))
}
