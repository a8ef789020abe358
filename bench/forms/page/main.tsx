import { watchRenders } from './renders.ts'

// The hook must be there before React is.
watchRenders()
await import('./measure.tsx')
