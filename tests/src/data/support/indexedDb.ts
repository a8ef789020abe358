import 'fake-indexeddb/auto'

/**
 * A browser's IndexedDB for tests in jsdom. Import it first: Dexie looks for the database when it is loaded. jsdom has
 * a realm of its own, whose Uint8Array is not the one that WebCrypto gives; a browser has one.
 */
globalThis.Uint8Array = Object.getPrototypeOf(Buffer) as typeof Uint8Array
