import * as z from 'zod/mini'
import { json } from '#core/wire/shapes.ts'

/** A node of a tree of menus or of a dictionary, as the BladeX family reads it. */
export const treeNode = z.object({
  id: z.string(),
  parentId: z.string(),
  title: z.string(),
  key: z.string(),
  value: z.string(),
  children: z.optional(z.array(json)),
})
