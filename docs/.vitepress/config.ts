// The site of the documents: `npm run docs`. What is in it is in scripts/docs, where types, lint and tests reach it.
import { site } from '#scripts/docs/site.ts'

// oxlint-disable-next-line import/no-default-export -- VitePress reads it so
export default site
