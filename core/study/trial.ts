/** Limits of trial data: what testers fill in on a version in test (docs/adr/0031-trial-data.md). */

/** Most trial subjects of one tester in one version. */
export const MOST_TRIAL_SUBJECTS = 20
/** Most pages of one trial subject, repeats among them. */
export const MOST_TRIAL_PAGES = 1000
/** Longest data of one trial page, UTF-16 units of its JSON. */
export const LONGEST_TRIAL_PAGE = 1_000_000
