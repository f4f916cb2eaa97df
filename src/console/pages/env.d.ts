/** Styles are taken out of the scripts by the build and come as files of their own. */
declare module '*.css';
