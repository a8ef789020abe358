/** Limits of UAT data: what testers fill in on a version in test (docs/adr/0031-uat-data.md). */

/** Most test subjects of one tester in one version. */
export const MOST_UAT_SUBJECTS = 20
/** Most pages of one test subject, including repeats. */
export const MOST_UAT_PAGES = 1000
/** Longest data of one UAT page, UTF-16 units of its JSON. */
export const LONGEST_UAT_PAGE = 1_000_000
