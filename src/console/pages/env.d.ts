/** The build extracts styles into separate files. */
declare module '*.css';
