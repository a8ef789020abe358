import { buildDocs } from '#scripts/lib/docsBuild.ts'

/** `npm run docs`: the documents as a site, into `dist-docs/`. */
const isBuilt = await buildDocs()
if (isBuilt) console.log('The documents are in dist-docs/.')
process.exitCode = isBuilt ? 0 : 1
