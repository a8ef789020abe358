import { existsSync } from 'node:fs'
import { installDebianPackages } from '#scripts/lib/apt.ts'
import { run } from '#scripts/lib/run.ts'

/** The programs of others that judge our files of data and our statistics, where Debian's packages put them. */
export const READSTAT = '/usr/bin/readstat'
export const PSPP = '/usr/bin/pspp'
export const RSCRIPT = '/usr/bin/Rscript'
/** Reads the text, the bookmarks and the fonts of PDF, and draws its pages (Poppler). */
export const PDFTOTEXT = '/usr/bin/pdftotext'
export const PDFINFO = '/usr/bin/pdfinfo'
export const PDFFONTS = '/usr/bin/pdffonts'
export const PDFIMAGES = '/usr/bin/pdfimages'
export const PDFTOPPM = '/usr/bin/pdftoppm'
/** Debian's own, which has its packages; another Python may come first in the path. */
export const PYTHON = '/usr/bin/python3'

/** Their environment: where the machine sets no language, R would read Chinese as bytes. */
export const READER_ENVIRONMENT: Readonly<Record<string, string>> = { LC_ALL: 'C.UTF-8' }

/**
 * Makes sure that readstat, PSPP, R with haven and survival, pandas, openpyxl and Poppler are there, and installs
 * Debian's packages where they are missing and that is allowed. `npm run test:all` does so before its tests: two of
 * them that installed at once would shut each other out.
 *
 * @returns undefined when everything is there, otherwise what the person at the terminal has to do.
 */
export async function prepareJudges(): Promise<string | undefined> {
  const before = await missing()
  if (before.length === 0) return undefined
  if (process.platform === 'linux') await installDebianPackages(before)
  const after = await missing()
  if (after.length === 0) return undefined
  return (
    `The judges of our files and statistics need ${after.join(' and ')}, and installing packages is not possible here.\n` +
    `On Debian or Ubuntu, as root:  apt-get install --no-install-recommends ${after.join(' ')}`
  )
}

/** The Debian packages to install for what is missing. */
async function missing(): Promise<string[]> {
  const packages: string[] = []
  if (!existsSync(READSTAT)) packages.push('readstat')
  if (!existsSync(PSPP)) packages.push('pspp')
  if (!existsSync(PDFTOTEXT)) packages.push('poppler-utils')
  if (!existsSync(RSCRIPT)) packages.push('r-base-core')
  if (!existsSync('/usr/lib/R/site-library/haven')) packages.push('r-cran-haven')
  if (!existsSync('/usr/lib/R/library/survival')) packages.push('r-cran-survival')
  if (!(await hasModule('pandas'))) packages.push('python3-pandas')
  if (!(await hasModule('openpyxl'))) packages.push('python3-openpyxl')
  return packages
}

async function hasModule(name: string): Promise<boolean> {
  if (!existsSync(PYTHON)) return false
  const found = await run(
    PYTHON,
    ['-c', `import importlib.util,sys;sys.exit(not importlib.util.find_spec("${name}"))`],
    {
      capture: true,
    },
  )
  return found.ok
}
