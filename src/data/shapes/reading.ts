import type { ApiError } from '#core/api/errors.ts'
import type { Result } from '#core/result.ts'

/** What a question to the device is answered with. */
export type Reading<Value> = Promise<Result<Value, ApiError>>
